import { readFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { runProgram } from './servers/run-program.ts';
import { temporaryPath } from './servers/temporary-folder.ts';

/** A key and its self-signed certificate for the loopback address, as PEM files. */
export interface Certificate {
  readonly keyFile: string;
  readonly certFile: string;
}

/** Makes a certificate of one day with the openssl program, which Debian's PostgreSQL brings along. */
export async function makeCertificate(): Promise<Certificate> {
  const [keyFile, certFile] = [temporaryPath('key'), temporaryPath('cert')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', certFile];
  await runProgram('openssl', ['req', '-x509', '-nodes', '-days', '1', ...curve, ...names, ...files]);
  return { keyFile, certFile };
}

/** A relay in front of a PostgreSQL that takes only clients which ask for TLS, as `hostssl` does. */
export class TlsRelay {
  readonly port: number;
  /** Clients whose TLS was agreed on. */
  agreed = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(host: string, port: number, { keyFile, certFile }: Certificate): Promise<TlsRelay> {
    const [key, cert] = [await readFile(keyFile), await readFile(certFile)];
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const relay = new TlsRelay(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', client => {
      relay.#keep(client);
      client.once('data', request => {
        if (!isSslRequest(request)) return void client.destroy();
        client.write('S');
        const secure = new TLSSocket(client, { isServer: true, key, cert });
        secure.once('secure', () => {
          relay.agreed += 1;
        });
        const behind = relay.#keep(connect(port, host));
        relay.#keep(secure).pipe(behind).pipe(secure);
      });
    });
    return relay;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #keep<T extends Socket>(socket: T): T {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** The message with which a client asks for TLS: its length, and a code in the place of a protocol version. */
function isSslRequest(request: Buffer): boolean {
  return request.length === 8 && request.readInt32BE(4) === 80_877_103;
}
