"""What each solver of XCSP3 is given natively; where it declines, a rewrite takes over.

Each guard says what the release would do otherwise (``results/reference/formats`` has files).
"""
