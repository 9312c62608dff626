"""What tools promise: two published contracts in, what changed for whom out."""
