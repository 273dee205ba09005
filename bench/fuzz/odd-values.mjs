// Values that no recording has, and that code may stumble over.
export const ODD_VALUES = [
  ...[0.5, -0.5, -0, 1e21, 1e300, -1e300, 4e8, 2 ** 32, 2 ** 53, 1e15, 1e18],
  ...['', ' ', '\n', '-', '0x10', '1e999', '007', '9'.repeat(40), 'a'.repeat(5000), '\u0000', '\u202e', '\ud800'],
  ...['__proto__', 'constructor', 'toString', '../../../etc/passwd', '[]', '{}', 'null', '{"a":', '+010000-01-01'],
  ...[Array.from({ length: 300 }, (_, index) => index), ['a', ['b', ['c']]], { a: { b: [null] } }],
];
