"""Client of a media jobs service. `MediaJobs` runs whole jobs; `media_jobs.generated` has every operation with its types."""

from .errors import ApiError, JobError
from .jobs import JobFile, MediaJobs, Result
from .webhooks import verify_webhook

__all__ = ["ApiError", "JobError", "JobFile", "MediaJobs", "Result", "verify_webhook"]
