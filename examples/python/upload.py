import sys

from media_jobs import MediaJobs

media_jobs = MediaJobs()  # MEDIA_JOBS_URL and MEDIA_JOBS_KEY
file = sys.argv[1] if len(sys.argv) > 1 else "holiday.mov"

result = media_jobs.run(
    file,
    {"name": "compress", "crf": 28, "format": "mp4"},
    on_progress=lambda stage, percent: print(f"{stage} {percent:.0f} %"),
    metadata={"order": "17"},
)
result.files["output"].save("holiday-small.mp4")
