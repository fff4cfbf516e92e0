import { inject, it } from 'vitest';

const s3 = inject('s3')?.service;
const used = [inject('dynamodb') && 'DynamoDB of moto', s3 === 'moto' ? 'S3 of moto' : s3];

/** A test that these servers of others cannot pass: docs/testing.md lists what they do otherwise than AWS documents. */
export const itUnless = (...services: ('DynamoDB of moto' | 'S3 of moto' | 'seaweedfs')[]) =>
  it.skipIf(services.some((service) => used.includes(service)));
