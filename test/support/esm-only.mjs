// Mocha would `require` the test files where Node.js can, and their modules would exist twice: once for the files, once for
// what the product imports on demand. With this, everything is imported.
Object.defineProperty(process.features, 'require_module', { value: false });
