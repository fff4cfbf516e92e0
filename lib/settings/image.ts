import * as z from 'zod';

const imageOfEcr = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com\/([a-z0-9][a-z0-9._/-]*)@(sha256:[0-9a-f]{64})$/;

export const imageSetting = z
  .string()
  .regex(
    imageOfEcr,
    'must be an image of ECR by its digest, such as 123456789012.dkr.ecr.eu-central-1.amazonaws.com/media-jobs@sha256:...',
  )
  .meta({
    description:
      'Image of the workers by digest in ECR of the same region, which was built before; unset: the deployment builds it, with Docker.',
  });

/** The parts of the setting `image`. */
export function ecrImage(image: string): { account: string; region: string; repository: string; digest: string } {
  const [, account = '', region = '', repository = '', digest = ''] = imageOfEcr.exec(image) ?? [];
  return { account, region, repository, digest };
}
