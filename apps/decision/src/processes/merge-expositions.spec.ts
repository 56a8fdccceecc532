import { mergeExpositions } from './merge-expositions.js';

describe('metrics of several processes', () => {
  it('are one text, each family once', () => {
    const of = (process: string, value: number): string => `# HELP a_total What.\n# TYPE a_total counter\na_total{process="${process}"} ${value}\n\n# HELP b B # of them.\n# TYPE b gauge\nb{process="${process}"} 1\n`;
    expect(mergeExpositions([of('1', 3), '# HELP c C.\n# TYPE c gauge\nc 2\n', of('2', 4)])).toBe(
      [
        '# HELP a_total What.',
        '# TYPE a_total counter',
        'a_total{process="1"} 3',
        'a_total{process="2"} 4',
        '# HELP b B # of them.',
        '# TYPE b gauge',
        'b{process="1"} 1',
        'b{process="2"} 1',
        '# HELP c C.',
        '# TYPE c gauge',
        'c 2',
        '',
      ].join('\n'),
    );
    expect(mergeExpositions([])).toBe('\n');
  });
});
