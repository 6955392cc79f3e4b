"""A small hook runtime, written from the contract's text alone.

It plays a case (a declared world, settings, what the outside world answered, and the steps) and tells what the hooks
brought about. One module per question:

    settings    which handlers run            stdout, schema, reading   what one handler said
    handlers    their types                   evaluators                what a verdict comes to
    matcher     does a group match            one module per event      what all of them together come to
    session     what is remembered from step to step
"""

from .session import play

__all__ = ["play"]
