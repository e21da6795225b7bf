import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Leading, rewriteDash, rewriteHls } from './relay-manifests.ts'
import { openQuery, sealQuery } from './relay-queries.ts'

const LEADING: Leading = {
  address: (address) => `/through/${Buffer.from(address).toString('hex')}`,
  query: (query) => `?s=${Buffer.from(query).toString('hex')}`,
}
const BASE = 'http://provider.example/a/b.mpd?user=secret'

/** Every place of a manifest that can hold an address. */
const DASH = [
  (address: string) => `<MPD><BaseURL>${address}</BaseURL><Period/></MPD>`,
  (address: string) => `<MPD><Location>${address}</Location><Period/></MPD>`,
  (address: string) => `<MPD><PatchLocation ttl="9">${address}</PatchLocation><Period/></MPD>`,
  (address: string) => `<MPD><ContentSteering>${address}</ContentSteering><Period/></MPD>`,
  (address: string) => `<MPD><ProgramInformation moreInformationURL="${address}"/><Period/></MPD>`,
  (address: string) => `<MPD><UTCTiming schemeIdUri="x" value="${address}"/><Period/></MPD>`,
  (address: string) => `<MPD><!-- ${address} --><Period/></MPD>`,
  (address: string) => `<MPD><Period xlink:href="${address}"/></MPD>`,
  (address: string) => `<MPD><Period><BaseURL serviceLocation="b">${address}</BaseURL></Period></MPD>`,
  (address: string) => `<MPD><Period><SegmentTemplate media="${address}"/></Period></MPD>`,
  (address: string) => `<MPD><Period><SegmentTemplate initialization='${address}'/></Period></MPD>`,
  (address: string) => `<MPD><Period><SegmentURL media="${address}" index='${address}'/></Period></MPD>`,
  (address: string) => `<MPD><Period><Initialization sourceURL="${address}"/></Period></MPD>`,
]
const HLS = [
  (address: string) => `#EXTM3U\n${address}`,
  (address: string) => `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI="${address}"`,
  (address: string) => `#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI="${address}"`,
  (address: string) => `#EXTM3U\n#EXT-X-DATERANGE:ID="a",X-ASSET-LIST="${address}"`,
  (address: string) => `#EXTM3U\n# ${address}`,
]
const ADDRESSES = [
  'http://provider.example/x.mp4?secret',
  'https://provider.example/secret/x.mp4',
  '//provider.example/x?secret',
  '/x.mp4?secret',
  '../x.mp4?secret',
  'x.mp4?secret',
  '?secret',
]

describe('a relayed manifest', () => {
  it.each(ADDRESSES)('names %s nowhere', (address) => {
    for (const write of DASH) {
      const given = write(address)
      expect(rewriteDash(given, BASE, LEADING), given).not.toMatch(/provider|secret/)
    }
    for (const write of HLS) {
      const given = write(address)
      expect(rewriteHls(given, BASE, LEADING), given).not.toMatch(/provider|secret/)
    }
  })

  it('begins with the folder that relative addresses start from', () => {
    const folder = LEADING.address('http://provider.example/a/')
    expect(rewriteDash('<MPD><Period/></MPD>', BASE, LEADING)).toBe(
      `<MPD><BaseURL>${folder}</BaseURL><Period/></MPD>`,
    )
  })

  it('any query comes back as it was, whatever stands in it', () => {
    const seal = (text: string) => Buffer.from(text).toString('base64url')
    const open = (text: string) => Buffer.from(text, 'base64url').toString()
    fc.assert(
      fc.property(
        fc.webQueryParameters(),
        fc.constantFrom('', '&n=$Number%05d$', '$Time$'),
        (query, template) => {
          const sealed = sealQuery(`?${query}${template}`, seal)
          expect(openQuery(sealed.slice(1), open)).toBe(query + template)
        },
      ),
    )
  })
})
