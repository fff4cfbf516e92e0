import type { Endpoints } from '../../src/template/resource-kind.ts';

/** Endpoints at which nothing listens. */
export const endpoints: Endpoints = {
  dynamodb: 'http://127.0.0.1:1',
  sqs: 'http://127.0.0.1:2',
  s3: 'http://127.0.0.1:3',
  sfn: 'http://127.0.0.1:4',
  api: 'http://127.0.0.1:5',
  kms: 'http://127.0.0.1:6',
  sts: 'http://127.0.0.1:7',
  eventbridge: 'http://127.0.0.1:8',
  lambda: 'http://127.0.0.1:9',
  kvs: 'http://127.0.0.1:10',
};
