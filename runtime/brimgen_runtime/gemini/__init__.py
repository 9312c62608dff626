"""Turns the names that arguments have at Gemini back into their own."""
