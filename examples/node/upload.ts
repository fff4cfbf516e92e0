import { createMediaJobs } from '@media-jobs/client';

const { MEDIA_JOBS_URL: baseUrl = '', MEDIA_JOBS_KEY: apiKey = '', WEBHOOK_URL: webhookUrl } = process.env;
const [file = 'holiday.mov'] = process.argv.slice(2);
const { jobs } = createMediaJobs({ baseUrl, apiKey });

const { jobId } = await jobs.submit(
  file,
  { name: 'compress', crf: 28, format: 'mp4' },
  { webhookUrl, metadata: { order: '17' } },
);
console.log(jobId);

// With a webhook the receiver goes on. Without one, wait here.
if (webhookUrl === undefined) {
  const { files } = await jobs.wait(jobId, { onProgress: ({ percent }) => console.log(`${percent} %`) });
  await files.output.save('holiday-small.mp4');
}
