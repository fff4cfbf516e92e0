import { type CallCosts, type JobCalls, noUnits } from './cost-of-calls.ts';

/**
 * All AWS calls of one job, as `npm run bench -- calls` counts them and a test asserts: a clip of one second, `compress`
 * to mp4, its webhook delivered at the first attempt. One of the write units of the worker is ffmpeg's log, which grows with
 * the number of ffmpeg runs. Each of the three states of a job is an entry of the feed of events. The queries of a creation count the queued jobs of an owner, and a stage of one team makes none.
 */
export const callsOfJob: JobCalls = {
  create: {
    calls: {
      'apigateway.Request': 1,
      'lambda.Invoke': 1,
      'dynamodb.GetItem': 2,
      'dynamodb.Query': 4,
      'dynamodb.PutItem': 2,
      'sqs.SendMessage': 1,
    },
    units: { read: 4, table: 2, owner: 1, byState: 0, byName: 1, due: 1, waiting: 1 },
  },
  work: {
    calls: {
      'sqs.ReceiveMessage': 1,
      'lambda.Invoke': 2,
      'sts.AssumeRole': 1,
      'dynamodb.Query': 2,
      'dynamodb.GetItem': 2,
      'dynamodb.UpdateItem': 2,
      'dynamodb.PutItem': 5,
      's3.PutObject': 1,
      'sqs.SendMessage': 1,
      'sqs.DeleteMessage': 1,
    },
    units: { read: 2.5, table: 8, owner: 3, byState: 1, byName: 0, due: 0, waiting: 1 },
  },
  heartbeat: {
    calls: { 'dynamodb.GetItem': 1, 'dynamodb.PutItem': 1 },
    units: { read: 1, table: 1, owner: 1, byState: 0, byName: 0, due: 0, waiting: 0 },
  },
  deliver: {
    calls: {
      'sqs.ReceiveMessage': 1,
      'lambda.Invoke': 1,
      'dynamodb.GetItem': 4,
      'dynamodb.PutItem': 3,
      'events.PutEvents': 1,
      'sqs.DeleteMessage': 1,
    },
    units: { read: 4, table: 4, owner: 2, byState: 0, byName: 0, due: 1, waiting: 0 },
  },
  read: {
    calls: { 'apigateway.Request': 1, 'lambda.Invoke': 1, 'dynamodb.GetItem': 2 },
    units: { read: 1.5, table: 0, owner: 0, byState: 0, byName: 0, due: 0, waiting: 0 },
  },
};

/** The AWS calls of a download by the URL of a file, as `npm run bench -- download` counts them: a redirect, and its target. */
export const callsOfDownload: CallCosts = {
  calls: { 'apigateway.Request': 1, 'lambda.Invoke': 1, 'dynamodb.GetItem': 1, 's3.GetObject': 1 },
  units: { ...noUnits, read: 1 },
};
