import { readIsoBoxes, readPssh } from '@svta/cml-iso-bmff'
import { describe, expect, it } from 'vitest'
import { psshBoxes, SYSTEM_IDS } from './pssh.ts'

const KEY_ID = '00112233-4455-6677-8899-AABBCCDDEEFF'
const DIGITS = '00112233445566778899aabbccddeeff'

const hexadecimal = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('pssh boxes', () => {
  it('list the key id for any system and for FairPlay, in boxes of version 1', () => {
    const { common, fairPlay } = psshBoxes(KEY_ID)
    for (const [bytes, systemId] of [
      [common, '1077efecc0b24d02ace33c1e52e2fb4b'],
      [fairPlay, '94ce86fb07ff4f43adb893d2fa968ca2'],
    ] as const)
      expect(hexadecimal(bytes)).toBe(`000000347073736801000000${systemId}00000001${DIGITS}00000000`)
  })

  it('are a box of Widevine of version 0, as an independent library reads it', () => {
    const { widevine } = psshBoxes(KEY_ID)
    const [box] = readIsoBoxes(widevine, { readers: { pssh: readPssh } })
    const systemId = [...Buffer.from(SYSTEM_IDS.widevine.replaceAll('-', ''), 'hex')]
    expect(box).toMatchObject({ type: 'pssh', size: widevine.length, version: 0, systemId, dataSize: 24 })
  })

  it('have a WidevineCencHeader with the key id and the scheme', () => {
    expect(hexadecimal(psshBoxes(KEY_ID).widevine)).toBe(
      `0000003870737368` +
        `00000000edef8ba979d64acea3c827dcd51d21ed00000018` +
        `1210${DIGITS}` +
        // Field 9 in Protocol Buffers, with the number 0x63626373.
        `48f3c6899b06`,
    )
  })
})
