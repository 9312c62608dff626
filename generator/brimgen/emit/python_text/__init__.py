"""Python as text: pieces that know their parts, and their layout by black's rules."""
