import * as fc from 'fast-check'
import { parse } from 'mpd-parser'
import { describe, expect, it } from 'vitest'
import { ManifestError, rewriteDash } from './relay-dash.ts'
import { rewriteHls } from './relay-hls.ts'
import type { Leading } from './relay-manifests.ts'
import { openQuery, sealQuery } from './relay-queries.ts'

const sealed = (text: string) => Buffer.from(text).toString('hex')
const LEADING: Leading = {
  address: (address) => `/through/${sealed(address)}`,
  query: (query) => `?s=${sealed(query)}`,
}
const BASE = 'http://provider.example/a/b.mpd?user=secret'
const FOLDER = LEADING.address('http://provider.example/a/')

/** Ways to write an address of the provider. */
const ADDRESSES = [
  'http://provider.example/x.mp4?secret',
  ' http://provider.example/x.mp4?secret',
  'HTTPS://user:secret@provider.example/x.mp4',
  'https://provider.example/secret/x.mp4',
  'ftp://provider.example/secret',
  '//provider.example/x?secret',
  '\\\\provider.example\\secret',
  'proxy/http://provider.example/secret/x.mp4',
  '/x.mp4?secret',
  '../x.mp4?secret',
  'x.mp4?secret',
  'x.mp4#secret',
  '?secret',
  '$Number$/?token=secret',
  `data:text/plain;base64,${Buffer.from('http://provider.example/').toString('base64')}`,
]
const LEAK = /provider\.example|secret|cHJvdmlkZXI|aHR0cDov/i

/** Manifest with every DASH element that can contain text, and the elements that packagers add. */
const FULL_MPD = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:dashif="https://dashif.org/CPS" xmlns:ms="urn:microsoft:playready" xsi:schemaLocation="urn:mpeg:dash:schema:mpd:2011 DASH-MPD.xsd" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="dynamic" id="a">
<ProgramInformation moreInformationURL="m"><Title>t</Title><Source>s</Source></ProgramInformation>
<BaseURL serviceLocation="a" availabilityTimeOffset="3">video/</BaseURL>
<BaseURL>other/</BaseURL>
<Location>l</Location><PatchLocation ttl="9">p</PatchLocation>
<ContentSteering defaultServiceLocation="a">s</ContentSteering>
<Period id="p" start="PT0S" xlink:href="urn:mpeg:dash:resolve-to-zero:2013" xlink:actuate="onLoad"/>
<Period id="q" start="PT0S"><BaseURL>period/</BaseURL>
<AssetIdentifier schemeIdUri="urn:a" value="v"/>
<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="1" value="v"><Event id="1" messageData="d"><Signal xmlns="http://www.scte.org/schemas/35">s</Signal></Event></EventStream>
<AdaptationSet id="1" contentType="video" lang="fra" mimeType="video/mp4" par="16:9">
<Label>Français (5.1)</Label>
<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc" cenc:default_KID="34e5db32-8625-47cd-ba06-68fca0655a72"><cenc:pssh>AAAA</cenc:pssh><dashif:Laurl>l</dashif:Laurl><ms:laurl licenseUrl="l"/><ms:pro>AAAA</ms:pro></ContentProtection>
<Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
<EssentialProperty schemeIdUri="urn:mpeg:dash:urlparam:2014"><UrlQueryInfo queryTemplate="$querypart$" queryString="token=secret"/></EssentialProperty>
<SupplementalProperty schemeIdUri="urn:s" value="v"/>
<SegmentTemplate timescale="1" media="$RepresentationID$/$Number%05d$.m4s" initialization='init.mp4' index="i" bitstreamSwitching="b"><SegmentTimeline><S t="0" d="4" r="9"/></SegmentTimeline></SegmentTemplate>
<Representation id="v1" bandwidth="1000" codecs="avc1.4D401E" frameRate="30000/1001" width="640"/>
</AdaptationSet>
<AdaptationSet><Representation id="a1"><BaseURL byteRange="0-9">sound.mp4</BaseURL><SegmentBase indexRange="0-9"><Initialization sourceURL="i.mp4" range="0-9"/><RepresentationIndex sourceURL="x"/></SegmentBase></Representation></AdaptationSet>
<AdaptationSet><Representation id="l1"><SegmentList duration="4"><BitstreamSwitching sourceURL="b"/><SegmentURL media="s.m4s" index="s.idx" mediaRange="0-9"/></SegmentList></Representation></AdaptationSet>
</Period>
<Metrics metrics="m"><Reporting schemeIdUri="urn:r" value="v"/></Metrics>
<ServiceDescription id="0"><Latency target="3000"/></ServiceDescription>
<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="http://provider.example/time"/>
</MPD>`

/** Playlists of a channel with every tag of RFC 8216bis, and with tags of common channel lists. */
const FULL_HLS = [
  `#EXTM3U x-tvg-url="u"
#EXT-X-VERSION:9
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-DEFINE:NAME="token",VALUE="secret"
#EXT-X-START:TIME-OFFSET=-9,PRECISE=YES
#EXT-X-SESSION-DATA:DATA-ID="d",VALUE="v",URI="u"
#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="u",KEYFORMAT="k"
#EXT-X-CONTENT-STEERING:SERVER-URI="u",PATHWAY-ID="p"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français (5.1)",LANGUAGE="fra",URI="fr.m3u8",CHANNELS="6"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",CODECS="avc1.4D401E,mp4a.40.2",RESOLUTION=640x360
low.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="frames.m3u8"
#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI="images.m3u8"
`,
  `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-DISCONTINUITY-SEQUENCE:1
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-ALLOW-CACHE:NO
#EXT-X-PART-INF:PART-TARGET=1
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0
#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x0123
#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
#EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:00Z",X-ASSET-LIST="l",X-ASSET-URI="u"
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
#EXT-X-BITRATE:100
#EXT-X-BYTERANGE:100@0
#EXTVLCOPT:http-referrer=r
#KODIPROP:inputstream=i
#EXTINF:4.000,title
one.m4s
#EXT-X-DISCONTINUITY
#EXT-X-GAP
#EXTINF:4,
two.m4s
#EXT-X-PART:DURATION=1,URI="part.m4s",INDEPENDENT=YES,BYTERANGE="9@0"
#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES="d"
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="hint.m4s"
#EXT-X-RENDITION-REPORT:URI="report.m3u8",LAST-MSN=9,LAST-PART=1
#EXT-X-TILES:RESOLUTION=1x1,LAYOUT=2x2,DURATION=4
#EXT-X-ENDLIST
`,
]

/** Returns a copy of the text for each match of `places`, with this match replaced. */
function replacedAtEach(text: string, places: RegExp, by: string): string[] {
  return [...text.matchAll(places)].map(
    ({ 0: found, index }) => text.slice(0, index) + by + text.slice(index + found.length),
  )
}

const inXml = (text: string) => text.replaceAll('&', '&amp;')

/**
 * Returns copies of the full DASH manifest, each with the address in a different place: in an attribute, in a text,
 * or in a place that no standard allows.
 */
function manifestsWith(address: string): string[] {
  const text = inXml(address)
  return [
    ...replacedAtEach(FULL_MPD, /(?<=[\w>]=")[^"]*(?=")/g, text),
    ...replacedAtEach(FULL_MPD, /(?<=[\w>]=)(?:"[^"]*"|'[^']*')/g, `\n '${text}'`),
    ...replacedAtEach(FULL_MPD, /(?<=<[\w:]+)(?=[\s/>])/g, ` strange="${text}"`),
    ...replacedAtEach(FULL_MPD, /(?<=<[\w:]+)(?=[\s/>])/g, ` cenc:strange="${text}"`),
    ...replacedAtEach(FULL_MPD, /(?<=<[\w:]+)(?=[\s/>])/g, ` xmlns:strange="${text}"`),
    // Replaces the text at the beginning of each element. This text may be empty.
    ...replacedAtEach(FULL_MPD, /(?<=<[\w:]+[^<>?]*[^/?]>)[^<]*/g, text),
    ...replacedAtEach(FULL_MPD, /(?<=<[\w:]+[^<>?]*[^/?]>)[^<]*/g, `<![CDATA[${address}]]>`),
    ...replacedAtEach(
      FULL_MPD,
      /(?=<\/)/g,
      `<!-- ${address} --><?strange ${address}?><Strange a="${text}">${text}</Strange>`,
    ),
  ]
}

function playlistsWith(address: string): string[] {
  return FULL_HLS.flatMap((text) => [
    ...replacedAtEach(text, /(?<=")[^",\n]*(?="(?:,|\n))/g, address),
    ...replacedAtEach(text, /(?<=[A-Z]=)[^",\n]+/g, address),
    ...replacedAtEach(text, /(?<=^#[A-Z0-9-]+):[^\n]*/gm, `:${address}`),
    ...replacedAtEach(text, /(?<=^#EXT[^\n]*)$/gm, `,X-STRANGE="${address}"`),
    ...replacedAtEach(text, /(?<=^#EXT[^\n]*)$/gm, ` ${address}`),
    ...replacedAtEach(text, /(?<=^#EXTINF:4[.0]*,).*$/gm, address),
    ...replacedAtEach(text, /^[^#\n].*$/gm, address),
    ...replacedAtEach(
      text,
      /^/gm,
      `# ${address}\n#EXT-X-STRANGE:URI="${address}",VALUE=${address}\n#EXTSTRANGE:${address}\n`,
    ),
  ])
}

/** Rewrites a manifest. @returns an empty text if it is refused */
function rewrittenOrRefused(manifest: string): string {
  try {
    return rewriteDash(manifest, BASE, LEADING)
  } catch (error) {
    if (error instanceof ManifestError) return ''
    throw error
  }
}

/** Returns the addresses of the segments that a player of a DASH manifest requests. */
function segmentsOf(manifest: string, manifestUri: string): string[] {
  return parse(manifest, { manifestUri }).playlists.flatMap(({ segments = [] }) =>
    segments.flatMap(({ resolvedUri, map }) => (map ? [resolvedUri, map.resolvedUri] : [resolvedUri])),
  )
}

describe('a relayed manifest', () => {
  it.each(ADDRESSES)('contains %s nowhere, whatever attribute or text of DASH contains it', (address) => {
    const all = manifestsWith(address)
    const written = all.map((given) => ({ given, rewritten: rewrittenOrRefused(given) }))
    for (const { given, rewritten } of written) expect(rewritten, given).not.toMatch(LEAK)
    expect(written.filter(({ rewritten }) => rewritten.includes('<Period')).length).toBeGreaterThan(350)
  })

  it.each(ADDRESSES)('contains %s nowhere, whatever line or attribute of HLS contains it', (address) => {
    const all = playlistsWith(address)
    expect(all.length).toBeGreaterThan(200)
    for (const given of all) {
      for (const lineEnd of ['\n', '\r\n', '\r'])
        expect(rewriteHls(given.replaceAll('\n', lineEnd), BASE, LEADING), given).not.toMatch(LEAK)
    }
  })

  it('begins with the folder that relative addresses start from', () => {
    expect(rewriteDash('<MPD><Period/></MPD>', BASE, LEADING)).toBe(
      `<MPD><BaseURL>${FOLDER}</BaseURL><Period></Period></MPD>`,
    )
  })

  it('keeps the parts of DASH that a player needs', () => {
    const kept = rewriteDash(FULL_MPD, BASE, LEADING)
    for (const part of [
      '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="dynamic" id="a">',
      `<BaseURL availabilityTimeOffset="3">${LEADING.address('http://provider.example/a/video/')}</BaseURL>`,
      `<BaseURL>${LEADING.address('http://provider.example/a/other/')}</BaseURL>`,
      '<Period id="q" start="PT0S"><BaseURL>period/</BaseURL>',
      '<AdaptationSet id="1" contentType="video" lang="fra" mimeType="video/mp4" par="16:9"><Label>Français (5.1)</Label>',
      '<ContentProtection xmlns:cenc="urn:mpeg:cenc:2013" schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc" cenc:default_KID="34e5db32-8625-47cd-ba06-68fca0655a72"></ContentProtection>',
      '<SegmentTemplate timescale="1" media="$RepresentationID$/$Number%05d$.m4s" initialization="init.mp4"',
      '<S t="0" d="4" r="9"></S>',
      '<Representation id="v1" bandwidth="1000" codecs="avc1.4D401E" frameRate="30000/1001" width="640">',
      '<SegmentURL media="s.m4s" index="s.idx" mediaRange="0-9">',
      '<Latency target="3000">',
      '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"></UTCTiming>',
    ])
      expect(kept).toContain(part)
  })

  it('keeps the parts of HLS that a player needs', () => {
    const [main = '', media = ''] = FULL_HLS
    const through = (leaf: string) => LEADING.address(`http://provider.example/a/${leaf}`)
    expect(rewriteHls(main, BASE, LEADING)).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-START:TIME-OFFSET=-9,PRECISE=YES
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français (5.1)",LANGUAGE="fra",URI="${through('fr.m3u8')}",CHANNELS="6"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",CODECS="avc1.4D401E,mp4a.40.2",RESOLUTION=640x360
${through('low.m3u8')}
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="${through('frames.m3u8')}"
#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI="${through('images.m3u8')}"
`)
    expect(rewriteHls(media, BASE, LEADING)).toBe(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-DISCONTINUITY-SEQUENCE:1
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-PART-INF:PART-TARGET=1
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0
#EXT-X-KEY:METHOD=AES-128,URI="${through('key')}",IV=0x0123
#EXT-X-MAP:URI="${through('init.mp4')}",BYTERANGE="720@0"
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
#EXT-X-BITRATE:100
#EXT-X-BYTERANGE:100@0
#EXTINF:4.000,
${through('one.m4s')}
#EXT-X-DISCONTINUITY
#EXT-X-GAP
#EXTINF:4,
${through('two.m4s')}
#EXT-X-PART:DURATION=1,URI="${through('part.m4s')}",INDEPENDENT=YES,BYTERANGE="9@0"
#EXT-X-SKIP:SKIPPED-SEGMENTS=3
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${through('hint.m4s')}"
#EXT-X-RENDITION-REPORT:URI="${through('report.m3u8')}",LAST-MSN=9,LAST-PART=1
#EXT-X-TILES:RESOLUTION=1x1,LAYOUT=2x2,DURATION=4
#EXT-X-ENDLIST
`)
  })

  it('accepts a space before the value of an HLS tag as players do', () => {
    const spaced = FULL_HLS.map((text) => text.replaceAll(/^(#EXT[A-Z-]*:)/gm, '$1 '))
    expect(spaced.map((text) => rewriteHls(text, BASE, LEADING))).toEqual(
      FULL_HLS.map((text) => rewriteHls(text, BASE, LEADING)),
    )
  })

  it('substitutes HLS variables before it seals an address, also those in its query', () => {
    const playlist = `#EXTM3U
#EXT-X-DEFINE:NAME="token",VALUE="secret"
#EXT-X-DEFINE:QUERYPARAM="user"
#EXT-X-MAP:URI="init.mp4?t={$token}"
#EXTINF:4,
{$user}/one.m4s?t={$token}
`
    expect(rewriteHls(playlist, BASE, LEADING)).toBe(`#EXTM3U
#EXT-X-MAP:URI="${LEADING.address('http://provider.example/a/init.mp4?t=secret')}"
#EXTINF:4,
${LEADING.address('http://provider.example/a/secret/one.m4s?t=secret')}
`)
  })

  it('removes DASH elements that another document would replace', () => {
    const remote =
      '<MPD xmlns:x="http://www.w3.org/1999/xlink"><Period x:href="http://provider.example/"/><Period id="1"/></MPD>'
    expect(rewriteDash(remote, BASE, LEADING)).toBe(
      `<MPD><BaseURL>${FOLDER}</BaseURL><Period id="1"></Period></MPD>`,
    )
  })

  it('accepts a bare ampersand in DASH as players do', () => {
    const bare =
      '<MPD><BaseURL><![CDATA[x.mp4?a=1&b=2]]></BaseURL><Period><BaseURL>y.mp4?a=1&b=2</BaseURL></Period></MPD>'
    expect(rewriteDash(bare, BASE, LEADING)).toBe(
      `<MPD><BaseURL>${FOLDER}</BaseURL><Period><BaseURL>y.mp4${LEADING.query('?a=1&b=2')}</BaseURL></Period></MPD>`,
    )
  })

  /** A manifest in plain XML. */
  const PLAIN = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><BaseURL>video/?a=1&amp;b=2</BaseURL><Period id="1"><BaseURL>p/</BaseURL><AdaptationSet lang="fr"><Label>L'été</Label><SegmentTemplate media="$Number$.m4s?a=1&amp;b=2" duration="4"/></AdaptationSet></Period></MPD>`
  const inMpd = (text: string) => text.replaceAll(/(?<=<\/?)(?=\w)/g, 'mpd:').replace('xmlns=', 'xmlns:mpd=')

  it.each([
    ['single quotes', PLAIN.replaceAll(/="([^"]*)"/g, "='$1'")],
    ['spaces around an equals sign', PLAIN.replaceAll(/=(?="[^"]*"[ />])/g, '\n = \t')],
    ['a prefix for the namespace', inMpd(PLAIN)],
    [
      'a prefix, single quotes and ends of lines',
      inMpd(PLAIN).replaceAll('"', "'").replaceAll(/\/?>/g, '\r\n$&'),
    ],
    ['decimal references', PLAIN.replaceAll('&amp;', '&#38;').replace('é', '&#233;')],
    ['hexadecimal references', PLAIN.replaceAll('&amp;', '&#x26;').replace("'", '&apos;')],
    ['references for letters of an address', PLAIN.replace('video/', '&#118;id&#x65;o&#47;')],
    ['CDATA', PLAIN.replace('video/?a=1&amp;b=2', '<![CDATA[video/?a=1&b=2]]>')],
    ['CDATA for a part of a text', PLAIN.replace('?a=1&amp;b=2', '<![CDATA[?a=1]]>&amp;<![CDATA[b=2]]>')],
    ['a comment in a text', PLAIN.replace('video/', 'vid<!-- & <BaseURL>no/</BaseURL> -->eo/')],
    ['a comment that contains CDATA', PLAIN.replace('<Period', '<!-- <![CDATA[ & --><Period')],
    ['an instruction in a text', PLAIN.replace('video/', 'vid<?any a="1"?>eo/')],
    ['empty elements with an end tag', PLAIN.replace('duration="4"/>', 'duration="4"></SegmentTemplate>')],
    ['spaces around an address', PLAIN.replace('video/?a=1&amp;b=2', '\n  video/?a=1&amp;b=2\n')],
    [
      'a declaration and a document type',
      `<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n<!DOCTYPE MPD>\n<!-- > -->${PLAIN}`,
    ],
    [
      'elements and attributes of other namespaces',
      PLAIN.replace('<Period', '<o:x xmlns:o="urn:o" o:y="1"><BaseURL>no/</BaseURL></o:x><Period'),
    ],
  ])('is read as XML: %s', (_what, written) => {
    expect(written).not.toBe(PLAIN)
    expect(rewriteDash(written, BASE, LEADING)).toBe(rewriteDash(PLAIN, BASE, LEADING))
  })

  it.each(['<!--', '<![CDATA['])('refuses 5 MB of %s without an end', (opening) => {
    const endless = `<MPD><Period>${opening.repeat(5_000_000 / opening.length)}`
    expect(() => rewriteDash(endless, BASE, LEADING)).toThrow(ManifestError)
  })

  it('keeps a reference in CDATA, where it is ordinary text', () => {
    expect(
      rewriteDash('<MPD><Period><Label><![CDATA[a &amp; b]]></Label></Period></MPD>', BASE, LEADING),
    ).toBe(`<MPD><BaseURL>${FOLDER}</BaseURL><Period><Label>a &amp;amp; b</Label></Period></MPD>`)
  })

  it.each([
    ['relative ones', ['v/', 'p/', 'a/', 'r/']],
    ['a file at the end', ['v/', 'p/', 'a/', 'r/x.mp4?token=1']],
    ['folders above', ['v/w/', '../p/', '../../a/', '../r/']],
    ['paths from the root', ['/v/', 'p/', '/a/b/', 'r/']],
    ['another host first', ['https://cdn.example/v/', 'p/', '../a/', 'r/']],
    ['another host in the middle', ['v/', 'p/', 'https://cdn.example/a/', '../r/']],
    ['other hosts everywhere', ['//one.example/v/', 'http://two.example/p/', '//three.example/', 'r/']],
    ['only the inner ones', ['', '', 'a/', '../r/']],
    ['none', ['', '', '', '']],
  ])('leads a player to the same segments by BaseURL on every level: %s', (_what, bases) => {
    const [mpd = '', period = '', set = '', representation = ''] = bases.map((base) =>
      base === '' ? '' : `<BaseURL>${inXml(base)}</BaseURL>`,
    )
    const manifest = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT8S">${mpd}<Period>${period}<AdaptationSet mimeType="video/mp4">${set}<Representation id="v" bandwidth="1" codecs="avc1.4D401E">${representation}<SegmentTemplate duration="4" media="s-$Number$.m4s" initialization="i.mp4"/></Representation></AdaptationSet></Period></MPD>`
    const site = 'https://ondine.example'
    const inFolders: Leading = {
      address: (address) => {
        const folder = new URL('.', address).href
        return `/through/${sealed(folder)}/${new URL(address).pathname.split('/').at(-1)}`
      },
      query: LEADING.query,
    }
    const opened = (address: string) => {
      const [, folder = '', leaf = ''] =
        /^https:\/\/ondine\.example\/through\/([0-9a-f]+)\/(.*)$/.exec(address) ?? []
      return new URL(leaf, Buffer.from(folder, 'hex').toString()).href
    }
    const rewritten = rewriteDash(manifest, BASE, inFolders)
    expect(segmentsOf(rewritten, `${site}/play/token/relay/manifest.mpd`).map(opened)).toEqual(
      segmentsOf(manifest, BASE),
    )
  })

  it.each(['<MPD><Period>', '<MPD a="1" a="2"/>', '<MPD a=b/>', '<Period/>', ''])(
    'is refused if it is not a DASH manifest in XML: %s',
    (broken) => {
      expect(() => rewriteDash(broken, BASE, LEADING)).toThrow(ManifestError)
    },
  )

  it('every query is restored unchanged', () => {
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
