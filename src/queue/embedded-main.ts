import { serveEmbedded } from './embedded-server.ts';

// The process of an embedded queue: `embedded-main DIRECTORY SCHEMA`. A terminal's interrupt is for its clients: it ends by
// itself when they are gone.
process.on('SIGINT', () => undefined);

const [directory, schema] = process.argv.slice(2);
if (directory === undefined || schema === undefined) process.exit(2);
const served = await serveEmbedded(directory, schema);
process.exit(served ? 0 : 3);
