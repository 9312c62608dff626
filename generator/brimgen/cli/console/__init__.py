"""Print to the streams: results, diagnostics, summaries, progress."""
