"""The commands about brimgen itself: explanations, schemas, templates."""
