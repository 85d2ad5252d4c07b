-- Vectors of up to about 2,000 numbers stay in their rows, where comparing all of them is faster.
ALTER TABLE vectors SET (toast_tuple_target = 8160);
