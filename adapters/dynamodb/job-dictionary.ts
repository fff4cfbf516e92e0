import type { JsonDictionary } from './compressed-json.ts';

/**
 * What the packed fields of most jobs have in common, for Zstandard, the most frequent at the end. Never change it: a
 * stored job can only be read with the dictionary that it was written with. To replace it, add another one and its number.
 */
export const jobDictionary: JsonDictionary = {
  number: 1,
  text: Buffer.from(
    [
      '"file_type":"image","file_format":"jpg","mime_type":"image/jpeg","file_type":"audio","codec":"aac"',
      '&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=&X-Amz-Date=2026&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=',
      '"error":{"code":"TRANSCODE_ERROR","message":"","stage":"transcoding","retryable":false},"metadata":{"',
      '{"request":{"mode":"recipe","input":{"url":"https://.s3.amazonaws.com/"},"output":{"format":"mp4"},"recipe":{"name":"compress","crf":28,"preset":"medium","audioBitrate":128},"webhookUrl":"https://"},',
      '"functionUse":{"workerMs":5218,"taskMs":0,"tasks":0,"executions":0},',
      '"chunking":{"chunks":1,"reason":"Encoded in a single pass: it lasts 12.0 s; only videos of at least 120 s are split into chunks"},',
      '"cost":{"transcoding":255665,"disk":1532,"chunks":0,"fargate":0,"api":3867,"records":10726,"webhook":9533,"files":9044,"logs":3000,"traces":15000},',
      '"files":{"output":{"file_id":"01a20ba6-","filename":"in.mp4","size_mbytes":0.175808,"file_type":"video","file_format":"mp4","mime_type":"video/mp4","duration":12.002,"codec":"h264","width":1280,"height":720,"key":"jobs/01a20ba6-/1/output.mp4"}}}',
    ].join(''),
  ),
};
