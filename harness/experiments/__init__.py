"""The experiments that ship: one TOML file each, and measurements of the harness itself."""
