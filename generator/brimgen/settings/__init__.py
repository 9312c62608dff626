"""Read flags and the configuration file into one valid `Settings`, or report the errors."""
