import * as z from 'zod';

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** The stage's own host name: a certificate at API Gateway, and at CloudFront once the stage has one. */
export const domainSchema = z
  .strictObject({
    name: z
      .string()
      .regex(hostName, 'must be a host name in lower case, such as media.example.com')
      .describe('Host name of the API and the dashboard.'),
    hostedZone: z
      .strictObject({
        id: z
          .string()
          .regex(/^Z[A-Z0-9]+$/, 'must be the id of a hosted zone, such as Z0123456789ABC')
          .describe('Id of the zone.'),
        name: z
          .string()
          .regex(hostName, 'must be the name of the zone, such as example.com')
          .describe('Name of the zone.'),
      })
      .optional()
      .meta({
        description:
          'The Route 53 zone for its DNS records; unset: you create them, and the first deployment waits for it.',
      }),
  })
  .refine(({ name, hostedZone }) => hostedZone === undefined || `.${name}`.endsWith(`.${hostedZone.name}`), {
    path: ['hostedZone', 'name'],
    message: 'must be the zone that contains domain.name',
  })
  .meta({
    description:
      'Host name that stays, whether CloudFront is in front of the API or not; unset: the host name of API Gateway, or of CloudFront.',
  });

export type DomainSettings = z.output<typeof domainSchema>;
