import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import { fieldFaults } from './field-faults.js';
import { invalidRequest } from './invalid-request.js';
import { jsonPointer } from './json-pointer.js';
import { ProblemException } from './problem-exception.js';

function strictPipe(root: readonly string[]): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // A string is not a number: "5" for a limit is a client's bug that a silent conversion would hide.
    transformOptions: { enableImplicitConversion: false },
    validatorPackage: classValidator,
    transformerPackage: classTransformer,
    exceptionFactory: (errors) => new ProblemException(invalidRequest(fieldFaults(errors, root))),
  });
}

/**
 * Validates bodies, queries and path parameters against their DTO class, converts nothing that the class does not ask for, and
 * refuses unknown fields. Faults are a 400 problem with RFC 6901 pointers.
 */
@Injectable()
export class StrictValidationPipe implements PipeTransform {
  private readonly body = strictPipe([]);
  private readonly query = strictPipe(['query']);
  private readonly path = strictPipe(['path']);

  transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query') {
      refuseInheritedNames(value);
      return this.query.transform(value, metadata);
    }
    if (metadata.type === 'param') return this.path.transform(value, metadata);
    // Nest validates an array element by element and a primitive as an empty object; a DTO is an object and nothing else.
    if (metadata.type === 'body' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw new ProblemException(invalidRequest([{ pointer: '', detail: 'must be a JSON object' }]));
    }
    return this.body.transform(value, metadata);
  }
}

/** class-validator looks names up in a plain object, and takes those that every object has for known ones. (Bodies: `bodyFault`.) */
function refuseInheritedNames(query: unknown): void {
  const faults = Object.keys(query ?? {})
    .filter((name) => name in Object.prototype)
    .map((name) => ({ pointer: jsonPointer(['query', name]), detail: `property ${name} should not exist` }));
  if (faults.length > 0) throw new ProblemException(invalidRequest(faults));
}
