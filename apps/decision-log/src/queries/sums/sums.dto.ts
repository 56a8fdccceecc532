import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', format: 'int64', minimum: 0 } as const;

/** What was decided, summed up. */
export class Sums {
  @ApiProperty({ ...COUNT, description: 'Requests that were decided: `allowed` and `refused`.', example: 1_240 })
  readonly requests!: number;

  @ApiProperty({ ...COUNT, description: 'Those that passed; an estimate where they are sampled.', example: 1_200 })
  readonly allowed!: number;

  @ApiProperty({ ...COUNT, description: 'Those that were refused; never sampled.', example: 40 })
  readonly refused!: number;

  @ApiProperty({ ...COUNT, description: 'Permits that all of them asked for.', example: 1_240 })
  readonly cost!: number;

  @ApiProperty({ ...COUNT, description: 'Permits that were admitted.', example: 1_200 })
  readonly allowed_cost!: number;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'Whether the sums are estimates, since not all that passed is recorded. True too where no event of the row is a sample, but others of the same time are. Null where nothing that passed is recorded in the whole time, so that it is not known.', example: true })
  readonly sampled!: boolean | null;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true, description: 'Standard error of `requests` and `allowed` that comes from sampling; 0 where they are exact (`sampled` is false); null where nothing was drawn by which it could be told, and more may have passed than `allowed` says. The truth is within twice of it in about 95 of 100 cases, if there are some dozens of samples.', example: 342.05 })
  readonly standard_error!: number | null;
}
