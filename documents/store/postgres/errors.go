package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"inglenook/documents/store"
)

// explained turns an error of the server or the connection into a sentence. None
// holds the address, which may have a password in it.
func explained(err error) error {
	for _, known := range []error{context.Canceled, store.ErrNotFound, ErrNewer, ErrExtension, ErrNotSetUp, ErrNoRight, store.ErrReplaced} {
		if errors.Is(err, known) {
			return known
		}
	}
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answered(answer)
	}
	var host *net.DNSError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	var connect *pgconn.ConnectError
	var failed net.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &name):
		return errors.New("the certificate of the database is for another name than that of its address; use the name that the certificate has")
	case errors.As(err, &authority):
		return errors.New("the certificate of the database is from an authority that this computer does not trust; name the file of the right authority with sslrootcert=FILE")
	case errors.As(err, &certificate):
		return errors.New("the certificate of the database is not valid, or not any more; whoever runs it has to renew it")
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return errors.New("the database does not encrypt, which sslmode asks for; have it set up with a certificate, or leave sslmode out if you trust the network between")
	case errors.As(err, &host):
		return errors.New("no computer of that name was found for the database; check the address")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &failed) && failed.Timeout():
		return errors.New("the database did not answer in time; try again, or ask who runs it")
	case errors.As(err, &connect), errors.As(err, &failed):
		return errors.New("the database cannot be reached; check that it runs and that its address is right")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), pgconn.SafeToRetry(err):
		return errors.New("the connection to the database broke off; try again: what was complete is kept")
	}
	return err
}

// answered is the sentence for what a server answered.
func answered(e *pgconn.PgError) error {
	switch e.Code {
	case "28P01", "28000":
		return errors.New("the database refused the user or the password; check them, or put the password into PGPASSWORD or the password file")
	case "3D000":
		return errors.New("the server has no database of that name; make one, or check the address")
	case "53100":
		return errors.Join(store.ErrDiskFull, e)
	case "53200":
		if !strings.Contains(e.Hint, "max_locks_per_transaction") {
			break
		}
		return errors.New("the database has no room for more locks; have max_locks_per_transaction raised, or index from fewer computers at once")
	case "53300":
		return errors.New("the database has too many connections; try again later, or have its limit raised")
	case "23505":
		if e.ConstraintName == "collections_name" {
			return store.ErrExists
		}
	case "23503":
		return store.ErrNotFound
	case "25006":
		return store.ErrReadOnly
	case "42501":
		return ErrNoRight
	case "57014", "55P03":
		return errors.New("the database gave up because this took too long; try again, or have whoever runs it allow more time")
	case "57P01", "57P02", "57P03":
		return errors.New("the database is stopping or starting; try again in a moment")
	}
	return e
}
