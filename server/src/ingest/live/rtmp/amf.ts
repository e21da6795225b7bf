import { RtmpError } from './rtmp-error.ts'

/** A value of AMF0, of the types that RTMP commands contain. Dates and `undefined` are read as null. */
export type AmfValue = number | boolean | string | null | AmfValue[] | { [name: string]: AmfValue }

/** Markers of AMF0, section 2.1. */
const NUMBER = 0
const BOOLEAN = 1
const STRING = 2
const OBJECT = 3
const NULL = 5
const UNDEFINED = 6
const ECMA_ARRAY = 8
const OBJECT_END = 9
const STRICT_ARRAY = 10
const DATE = 11
const LONG_STRING = 12

/** Maximum depth of nested values. Commands need two levels. */
const MOST_LEVELS = 8

/** @throws RtmpError if a value is cut off, has an unsupported type, or is nested too deeply */
export function readAmf(bytes: Buffer): AmfValue[] {
  const reader = new AmfReader(bytes)
  const values: AmfValue[] = []
  while (!reader.isAtEnd) values.push(reader.value(0))
  return values
}

/**
 * Returns the encoded length of the string `text` in bytes, including its type marker, if a message begins with
 * this string; 0 if not.
 */
export function lengthOfString(bytes: Buffer, text: string): number {
  const encoded = writeAmf([text])
  return bytes.subarray(0, encoded.length).equals(encoded) ? encoded.length : 0
}

class AmfReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  value(level: number): AmfValue {
    if (level > MOST_LEVELS) throw new RtmpError('a command has too many levels')
    const marker = this.#take(1).readUInt8()
    switch (marker) {
      case NUMBER:
        return this.#take(8).readDoubleBE()
      case BOOLEAN:
        return this.#take(1).readUInt8() !== 0
      case STRING:
        return this.#text(this.#take(2).readUInt16BE())
      case LONG_STRING:
        return this.#text(this.#take(4).readUInt32BE())
      case OBJECT:
        return this.#object(level)
      case ECMA_ARRAY:
        // Skips the count, which is only a hint. An end marker ends the array.
        this.#take(4)
        return this.#object(level)
      case STRICT_ARRAY:
        return this.#array(level)
      case DATE:
        this.#take(10)
        return null
      case NULL:
      case UNDEFINED:
        return null
      default:
        throw new RtmpError(`a command has a value of type ${marker}`)
    }
  }

  #object(level: number): { [name: string]: AmfValue } {
    const entries: [string, AmfValue][] = []
    for (;;) {
      const name = this.#text(this.#take(2).readUInt16BE())
      if (name === '' && this.#bytes[this.#at] === OBJECT_END) {
        this.#at++
        // Unlike an assignment, `fromEntries` treats the name `__proto__` like any other name.
        return Object.fromEntries(entries)
      }
      entries.push([name, this.value(level + 1)])
    }
  }

  #array(level: number): AmfValue[] {
    const count = this.#take(4).readUInt32BE()
    const values: AmfValue[] = []
    // If the count is too large, reading fails at the end of the message.
    for (let index = 0; index < count; index++) values.push(this.value(level + 1))
    return values
  }

  #text(length: number): string {
    return this.#take(length).toString('utf8')
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RtmpError('a command is cut off')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

/** Writes values as AMF0. Strings and names have at most 65535 bytes. */
export function writeAmf(values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map((value) => written(value)))
}

function written(value: AmfValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'boolean') return Buffer.from([BOOLEAN, value ? 1 : 0])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([STRING]), counted(value)])
  if (value === null) return Buffer.from([NULL])
  if (Array.isArray(value)) {
    const head = Buffer.alloc(5)
    head.writeUInt8(STRICT_ARRAY)
    head.writeUInt32BE(value.length, 1)
    return Buffer.concat([head, writeAmf(value)])
  }
  const fields = Object.entries(value).flatMap(([name, field]) => [counted(name), written(field)])
  return Buffer.concat([Buffer.from([OBJECT]), ...fields, counted(''), Buffer.from([OBJECT_END])])
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
