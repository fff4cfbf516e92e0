/** A role of the template, or an AWS service such as `events.amazonaws.com`. */
export type Principal = { roleArn: string } | { service: string };

/** One action on one resource, as IAM sees it. */
export type AccessRequest = {
  /** `dynamodb:GetItem` */
  action: string;
  resourceArn: string;
  /** Values of condition keys. */
  context?: Readonly<Record<string, string | string[]>>;
};

/** A denied request, with the error message of AWS. */
export type Denial = AccessRequest & { principal: string; message: string };
