import os


def is_available():
    return True


def is_initialized():
    return "STAND_IN_RANK" in os.environ


def get_rank():
    return int(os.environ["STAND_IN_RANK"])


def get_world_size():
    return 8
