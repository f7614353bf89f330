"""Numbers of the streams of random seeds of a search, so that no two uses draw the same."""

from enum import IntEnum, unique


@unique
class Stream(IntEnum):
    """What seeds are for; those without a stream are the seeds of splits."""

    # that of cross_validate_corrupted, which draws the same errors from the same seed
    DRAWS = 1
    RANDOM_ERRORS = 2
    HELD_OUT_SPLIT = 3
    USERS_SPLIT = 4
    TEST_PARTS = 5
    HELD_OUT_TEST_PART = 6
    USERS_TEST_PART = 7
    VALUES = 8
    BATCHES = 9
    GROUPS = 11
    JUDGED = 12
    FEWER_ROWS = 13
    MEMBERS = 14
    CONFIRMATION = 15
    BEAM = 16
    FIRST = 17
    ALTERNATIVES = 18
    SAMPLE = 19
    LEARNED = 20
    STRUCK_ROWS = 21
