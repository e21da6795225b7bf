import { describe, expect, it } from 'vitest'
import {
  type FfmpegSource,
  type LiveSource,
  lastMessage,
  readSource,
  sourceArguments,
} from './live-source.ts'

const SECRET = 'a-secret-of-the-studio'
const CALLER = `srt://203.0.113.7:9000?passphrase=${SECRET}&streamid=studio/1`

/** Returns the address in the arguments of ffmpeg for a source. */
function addressFor(source: LiveSource): string {
  const words = sourceArguments(source as FfmpegSource)
  return words[words.indexOf('-i') + 1] ?? ''
}

describe('what ffmpeg says about a source', () => {
  it.each([
    ['when it is refused', (address: string) => `[srt @ 0x1] Connection to ${address} failed: rejected`],
    ['before a colon', (address: string) => `${address}: Input/output error`],
    ['when the line is cut off', (address: string) => `${address}: Input`.slice(0, 90)],
    ['when the beginning is lost', (address: string) => `${address}: Input`.slice(60)],
    ['when half of a secret is lost', (address: string) => address.slice(address.indexOf('of-the-studio'))],
  ])('is told without the secrets of its address, %s', (_when, lineOf) => {
    const source = readSource(CALLER)
    const message = lastMessage(`first\n${lineOf(addressFor(source))}\n`, source)
    expect(message).not.toContain(SECRET)
    expect(message).not.toMatch(/passphrase|streamid|studio/)
  })

  it('keeps the reason', () => {
    const source = readSource(CALLER)
    expect(lastMessage(`${addressFor(source)}: Input/output error`, source)).toBe(
      'the source: Input/output error',
    )
  })

  it.each([
    ['a list', 0],
    ['the end of a list', 4000],
  ])('is told without %s of files', (_what, cut) => {
    const source = readSource('/media/studio/that is not there.ts')
    const list = addressFor(source)
    const opened = "[concat @ 0x1] Impossible to open 'file:/media/studio/that is not there.ts'"
    expect(lastMessage(`${opened}\n${list.slice(cut, cut + 1000)}`, source)).toBe(opened)
  })
})

describe('the address of a multicast for ffmpeg', () => {
  it.each([
    ['udp://10.1.1.1@232.1.1.1:5000', /^udp:\/\/232\.1\.1\.1:5000\?.*&sources=10\.1\.1\.1$/],
    ['rtp://232.1.1.1:5000?sources=10.1.1.1,10.1.1.2', /^rtp:.*\?sources=10\.1\.1\.1,10\.1\.1\.2$/],
    ['udp://@239.1.1.1:5000', /^udp:\/\/239\.1\.1\.1:5000\?(?!.*sources)/],
    // Inputs of an earlier version may have these.
    ['udp://studio@239.1.1.1:5000', /^udp:\/\/239\.1\.1\.1:5000\?(?!.*sources)/],
    ['udp://10.1.1.1:x@239.1.1.1:5000', /^udp:\/\/239\.1\.1\.1:5000\?.*&sources=10\.1\.1\.1$/],
    ['udp://10.0.0.1@127.0.0.1:5000', /^udp:\/\/127\.0\.0\.1:5000\?(?!.*sources)/],
    ['udp://[ff3e::1]:5000?interface=fd00::5', /^udp:\/\/\[ff3e::1\]:5000\?.*&localaddr=fd00::5$/],
  ])('names the senders of %s', (address, expected) => {
    expect(addressFor(readSource(address))).toMatch(expected)
  })
})
