"""inglenook serve as a Ray Serve application: each replica holds one.

    pip install 'ray[serve]'
    INGLENOOK_REPLICAS=4 INGLENOOK_THREADS=8 serve run deploy.ray_serve:app
    inglenook servers add --name ray http://localhost:8000

Ray spreads requests over the replicas, on one machine or many, and starts one again that
ended. Variables: INGLENOOK_BIN, the program; INGLENOOK_SERVE_ARGS, further flags of serve,
such as "--model org/name"; INGLENOOK_CPUS, what Ray sets aside for a replica (the threads).
They are read where "serve run" is called; the replicas get them from there, with INGLENOOK_HOME
and HF_HUB_CACHE, which name folders on each machine.
"""

import atexit
import json
import os
import shlex
import subprocess

import aiohttp
from ray import serve
from starlette.requests import Request
from starlette.responses import StreamingResponse

REPLICAS = int(os.environ.get("INGLENOOK_REPLICAS", "1"))
THREADS = int(os.environ.get("INGLENOOK_THREADS", "1"))
CPUS = float(os.environ.get("INGLENOOK_CPUS", THREADS))
PROGRAM = os.environ.get("INGLENOOK_BIN", "inglenook")
FLAGS = shlex.split(os.environ.get("INGLENOOK_SERVE_ARGS", ""))
# A replica does not run in this process, nor with its variables.
FOLDERS = {k: os.environ[k] for k in ("INGLENOOK_HOME", "HF_HUB_CACHE") if k in os.environ}

# Headers that belong to one connection, and what the server behind sets anew.
OWN = {"host", "content-length", "connection", "transfer-encoding", "keep-alive"}


@serve.deployment(
    num_replicas=REPLICAS,
    max_ongoing_requests=16,
    ray_actor_options={"num_cpus": CPUS},
    health_check_period_s=5,
)
class Engine:
    """One process of inglenook serve on a free port of the loopback, and the way to it."""

    def __init__(self, program, threads, flags, folders):
        self.process = subprocess.Popen(
            [program, "serve", "--json", "--port", "0", "--threads", str(threads), *flags],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **folders},
        )
        atexit.register(self.process.terminate)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{program} serve ended at once with {self.process.wait()}")
        self.address = json.loads(line)["listening"]
        self.session = None

    def check_health(self):
        """Called by Ray; an exception makes it start another replica."""
        if self.process.poll() is not None:
            raise RuntimeError(f"inglenook serve ended with {self.process.returncode}")

    def __del__(self):
        if hasattr(self, "process"):
            self.process.terminate()

    async def __call__(self, request: Request):
        if self.session is None:
            self.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        headers = {k: v for k, v in request.headers.items() if k.lower() not in OWN}
        answer = await self.session.request(
            request.method,
            self.address + request.url.path,
            params=request.query_params,
            headers=headers,
            data=await request.body(),
            allow_redirects=False,
        )

        async def pieces():
            async with answer:
                async for data in answer.content.iter_any():
                    yield data

        kept = {k: v for k, v in answer.headers.items() if k.lower() not in OWN}
        return StreamingResponse(pieces(), status_code=answer.status, headers=kept)


app = Engine.bind(PROGRAM, THREADS, FLAGS, FOLDERS)
