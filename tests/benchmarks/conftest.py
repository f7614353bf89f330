"""Makes the benchmarks, which are not installed, importable."""

import sys
from pathlib import Path

# last, so that an installed skcorrupt is still the one that is tested
sys.path.append(str(Path(__file__).parents[2]))
