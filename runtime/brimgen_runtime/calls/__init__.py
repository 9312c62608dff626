"""Tools, and what belongs to a call of one: context, results, retries, prompts, resources."""
