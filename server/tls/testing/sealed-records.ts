import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';

const HANDSHAKE = 22;
const APPLICATION_DATA = 23;

/** `update_not_requested` (RFC 8446, 4.6.3). */
const KEY_UPDATE = Buffer.from([24, 0, 0, 1, 0]);

/** A client of TLS 1.3 that writes records which Node itself has no call for. Its own `write()` must not be used beside. */
export class RecordWriter {
  /** To read from. */
  readonly socket: TLSSocket;
  readonly #raw: Socket;
  #secret: Buffer;
  #sequence = 0n;

  private constructor(socket: TLSSocket, raw: Socket, secret: Buffer) {
    this.socket = socket;
    this.#raw = raw;
    this.#secret = secret;
  }

  static async open(port: number): Promise<RecordWriter> {
    const raw = connect(port, '127.0.0.1').setNoDelay();
    const socket = connectTls({
      socket: raw,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ciphers: 'TLS_AES_128_GCM_SHA256',
    });
    let secret: Buffer | undefined;
    socket.on('keylog', (line) => {
      const [label, , value = ''] = line.toString().trim().split(' ');
      if (label === 'CLIENT_TRAFFIC_SECRET_0') secret = Buffer.from(value, 'hex');
    });
    socket.on('error', () => {});
    raw.on('error', () => {});
    await once(socket, 'secureConnect');
    // The last record of the handshake is written first.
    await nextTurn();
    if (secret === undefined) throw new Error('The handshake has no secret of TLS 1.3.');
    return new RecordWriter(socket, raw, secret);
  }

  /** Writes a record with this text as its data; an empty text makes one without data. */
  data(text: string): this {
    return this.#write(Buffer.from(text), APPLICATION_DATA, 0);
  }

  /** Writes a record that changes the keys. @param padding in bytes */
  keyUpdate(padding = 0): this {
    this.#write(KEY_UPDATE, HANDSHAKE, padding);
    this.#secret = expandLabel(this.#secret, 'traffic upd', 32);
    this.#sequence = 0n;
    return this;
  }

  /** RFC 8446, 5.2 and 5.3. */
  #write(content: Buffer, type: number, padding: number): this {
    const inner = Buffer.concat([content, Buffer.of(type), Buffer.alloc(padding)]);
    const header = Buffer.from([APPLICATION_DATA, 3, 3, 0, 0]);
    header.writeUInt16BE(inner.length + 16, 3);
    const nonce = expandLabel(this.#secret, 'iv', 12);
    nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ this.#sequence, 4);
    this.#sequence += 1n;
    const cipher = createCipheriv('aes-128-gcm', expandLabel(this.#secret, 'key', 16), nonce).setAAD(header);
    this.#raw.write(Buffer.concat([header, cipher.update(inner), cipher.final(), cipher.getAuthTag()]));
    return this;
  }
}

/** HKDF-Expand-Label with SHA-256 and no context, for at most 32 bytes (RFC 8446, 7.1). */
function expandLabel(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.of(0, length, name.length), name, Buffer.of(0)]);
  return createHmac('sha256', secret)
    .update(Buffer.concat([info, Buffer.of(1)]))
    .digest()
    .subarray(0, length);
}
