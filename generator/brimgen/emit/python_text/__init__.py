"""Python as text: pieces that know their parts, and the lines that black would make of them."""
