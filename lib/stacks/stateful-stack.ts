import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { JobTable } from '../constructs/job-table.ts';
import { MediaBucket } from '../constructs/media-bucket.ts';
import { pageOrigins } from '../page-origins.ts';
import type { Settings } from '../settings.ts';
import { storedNames } from '../stored-names.ts';

export type StatefulStackProps = StackProps & { settings: Settings };

/** What must outlive every upgrade: the record and the files. Its logical ids never change. */
export class StatefulStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: StatefulStackProps) {
    super(scope, id, { description: `Media jobs, stage ${settings.stage}: records and files`, ...props });
    const names = storedNames({ stage: settings.stage, account: this.account, region: this.region });
    new JobTable(this, 'Jobs', { tableName: names.table });
    new MediaBucket(this, 'Media', {
      bucketName: names.mediaBucket,
      outputRetentionDays: settings.outputRetentionDays,
      deletedFilesDays: settings.recovery.deletedFilesDays,
      pageOrigins: pageOrigins(settings),
    });
  }
}
