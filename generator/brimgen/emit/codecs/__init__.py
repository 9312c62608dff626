"""Read and write values in Python and SQL, by one row for each scalar."""
