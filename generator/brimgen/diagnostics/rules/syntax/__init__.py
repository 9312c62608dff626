"""S2xx: wrong shapes of documents, found before anything is looked up."""
