"""Compare generated files with the output folder, and write them."""
