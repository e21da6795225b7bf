import { describe, expect, it } from 'vitest'
import { ChannelListError, parseChannelList } from './channel-list.ts'
import { giveNumbers, matchChannels } from './match-channels.ts'

const named = (text: string) => parseChannelList(text).channels

describe('parsing a channel list', () => {
  it('reads attributes in every style of quoting, with commas in names and groups', () => {
    const [first, second, third] = named(
      [
        '\uFEFF#EXTM3U url-tvg="http://guide.example/a.xml.gz,http://guide.example/b.xml" catchup="shift" catchup-days="2"',
        `#EXTINF:-1 tvg-id="a.fr" tvg-name='A, "la" chaîne' tvg-logo="http://x/a,b.png" group-title="Cinéma, séries;Soir" tvg-chno="7",A, la chaîne`,
        'http://stream.example/a/index.m3u8?token=1,2',
        '#EXTINF:0 tvg-id=b.fr group-title=Info et débats radio=true tvg-chno=12 ,B',
        'https://stream.example/b.mpd',
        '#EXTINF:-1 tvg-id="c.fr,C sans guillemet',
        '#EXTGRP:Divers',
        'http://stream.example/c',
      ].join('\r\n'),
    )
    expect(first).toMatchObject({
      line: 3,
      kind: 'relay',
      name: 'A, la chaîne',
      guideId: 'a.fr',
      number: 7,
      groups: ['Cinéma, séries', 'Soir'],
      logo: 'http://x/a,b.png',
      radio: false,
      source: {
        address: 'http://stream.example/a/index.m3u8?token=1,2',
        manifest: 'hls',
        catchUp: { mode: 'shift', days: 2, source: '' },
      },
    })
    expect(second).toMatchObject({
      name: 'B',
      guideId: 'b.fr',
      groups: ['Info et débats'],
      radio: true,
      number: 12,
      source: { manifest: 'dash' },
    })
    expect(third).toMatchObject({
      name: 'C sans guillemet',
      guideId: 'c.fr',
      groups: ['Divers'],
      source: { manifest: null },
    })
  })

  it('reads extensions of players: stream options, headers after a bar, their own catch-up attributes', () => {
    const [first, second] = named(
      `#EXTM3U
#EXTINF:-1 tvg-id="a" catchup="flussonic-hls" tvg-rec="3" catchup-source="http://x/\${start}",A
#EXTVLCOPT:http-user-agent=Box/1
#EXTVLCOPT:http-referrer=http://portal.example/
#KODIPROP:inputstream.adaptive.manifest_type=mpd
http://stream.example/a
#EXTINF:-1,B
http://stream.example/b.m3u8|User-Agent=Other%2F2&Referer=http%3A%2F%2Fp.example
`,
    )
    expect(first?.source).toEqual({
      address: 'http://stream.example/a',
      manifest: 'dash',
      userAgent: 'Box/1',
      referrer: 'http://portal.example/',
      catchUp: { mode: 'flussonic', days: 3, source: `http://x/\${start}` },
    })
    expect(second?.source).toMatchObject({
      userAgent: 'Other/2',
      referrer: 'http://p.example',
      address: 'http://stream.example/b.m3u8',
    })
  })

  it('reduces header values to one line of text', () => {
    const [first, second] = named(
      [
        '#EXTM3U',
        '#EXTINF:-1,A',
        'http://x/a|User-Agent=a%00b%0D%0Ac&Referer=%07',
        '#EXTINF:-1 catchup="default" catchup-source="http://x/\u0007{start}",B',
        `#EXTVLCOPT:http-user-agent=${'x'.repeat(499)}😀`,
        'http://x/b',
      ].join('\n'),
    )
    expect(first?.source).toEqual({ address: 'http://x/a', manifest: null, userAgent: 'a b c' })
    expect(second?.source.userAgent?.isWellFormed()).toBe(true)
    expect(second?.source.catchUp?.source).toBe('http://x/ {start}')
  })

  it('finds attributes among characters that only look like attributes', () => {
    const channels = named(
      [
        '#EXTM3U it is url-tvg="http://guide.example/a.xml"',
        ...[
          `tvg-id="a" tvg-name="FR: "Le" Grand" tvg-logo="" group-title="Info",Marks within`,
          `tvg-id='a' tvg-name='L'Équipe' group-title='Info',L'Équipe`,
          `tvg-id="a"tvg-name="x"group-title="Info",Glued`,
          `tvg-id="a" , tvg-name="x" group-title="Info",After a comma`,
          `tvg-id="a" junk group-title="Info",After a word`,
          `tvg-id="a" $filter="x" 5g="x" group.x="x" é="x" group-title="Info",Strange keys`,
          `tvg-id=a tvg-name= tvg-logo=http://x/?a=b group-title=Info,Without marks`,
          `tvg-id="a" tvg-logo="http://x/?a=b&c=" group-title="Info",Key="value" in "the" name`,
        ].flatMap((said, index) => [`#EXTINF:-1 ${said}`, `http://stream.example/${index}.m3u8`]),
      ].join('\n'),
    )
    expect(channels.map(({ name }) => name)).toEqual([
      'Marks within',
      "L'Équipe",
      'Glued',
      'After a comma',
      'After a word',
      'Strange keys',
      'Without marks',
      'Key="value" in "the" name',
    ])
    for (const { guideId, groups } of channels) expect([guideId, groups]).toEqual(['a', ['Info']])
  })

  it('parses lines that are crafted to be slow as quickly as any', () => {
    const fillers = [' ', 'b ', 'b="', 'b= ', '"" ', 'é', ', ', 'b=" ', `b='c" `]
    const text = fillers
      .flatMap((filler, index) => {
        const long = filler.repeat(Math.floor(19_000 / filler.length))
        return [
          `#EXTINF:-1 tvg-id=a${long}x,Name`,
          `http://stream.example/${index}.m3u8`,
          `#EXTINF:-1 tvg-id="a${long}x,Name`,
          `http://stream.example/${index}.mpd`,
        ]
      })
      .join('\n')
    const began = performance.now()
    expect(named(`#EXTM3U\n${text}`).length).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('applies a group to the channels that follow, until another one begins', () => {
    const channels = named(
      `#EXTM3U
#EXTGRP:First
#EXTINF:-1,A
http://x/a
#EXTINF:-1 group-title="Own",B
http://x/b
#EXTINF:-1,C
#EXTGRP:Its own;Two
http://x/c
#EXTVLCOPT:http-user-agent=Box/1
#EXTGRP:Second
#EXTINF:-1,D
http://x/d
#EXTGRP:
#EXTINF:-1,E
http://x/e
`,
    )
    expect(channels.map(({ groups }) => groups)).toEqual([
      ['First'],
      ['Own'],
      ['Its own', 'Two'],
      ['Second'],
      [],
    ])
    expect(channels[3]?.source.userAgent).toBe('Box/1')
  })

  it('reads numbers, shifts and catch-up as people write them, and reports what it cannot use', () => {
    const { channels, mended } = parseChannelList(
      [
        '#EXTM3U tvg-shift="1"',
        '#EXTINF:-1 tvg-chno="007" tvg-shift="-1,5" timeshift="5",A',
        'http://x/a',
        '#EXTINF:-1 tvg-chno="5.0" tvg-shift="" catchup="flussonic-ts",B',
        'http://x/b',
        '#EXTINF:-1 tvg-chno="5.1" tvg-shift="0" catchup="constructor",C',
        'http://x/c',
        '#EXTINF:-1 tvg-chno="100000" tvg-shift="+05:30",D',
        'http://x/d',
      ].join('\n'),
    )
    expect(channels.map(({ number, source }) => [number, source.guideShiftMinutes])).toEqual([
      [7, -90],
      [5, 60],
      [null, undefined],
      [null, undefined],
    ])
    expect(channels.map(({ source }) => source.catchUp)).toEqual([
      { mode: 'default', source: '', days: 5 },
      { mode: 'flussonic', source: '', days: 0 },
      undefined,
      undefined,
    ])
    expect(mended).toEqual([
      { line: 7, reason: 'Number 5.1 is not from 1 to 99999; C gets another.' },
      { line: 9, reason: 'Number 100000 is not from 1 to 99999; D gets another.' },
      { line: 9, reason: 'The shift +05:30 is not a number of hours up to 24; it is left out.' },
    ])
  })

  it('resolves relative addresses against the list’s own address, if it has one', () => {
    const text =
      '#EXTM3U\n#EXTINF:-1,A\nlive/a.m3u8\n#EXTINF:-1,B\n//other.example/b.mpd\n<html>\n#EXTINF:-1,C\nplugin://x/c'
    const { channels, refused } = parseChannelList(text, 'http://lists.example/box/list.m3u')
    expect(channels.map(({ source }) => source.address)).toEqual([
      'http://lists.example/box/live/a.m3u8',
      'http://other.example/b.mpd',
    ])
    expect(refused.map(({ line }) => line)).toEqual([6, 8])
    expect(parseChannelList(text).refused.map(({ line }) => line)).toEqual([3, 5, 6, 8])
  })

  it('ignores tags that players add to lists though they belong to streams', () => {
    const channels = named(
      '#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID="x",VALUE="y"\n#EXTINF:-1,A\n#EXT-X-PLAYLIST-TYPE:VOD\nhttp://x/a\n#EXT-X-ENDLIST\n',
    )
    expect(channels.map(({ name }) => name)).toEqual(['A'])
  })

  it('reports many addresses of MPEG-TS once', () => {
    const many = ['A', 'B', 'C', 'D', 'E'].map((name) => `#EXTINF:-1,${name}\nhttp://x.example/${name}.ts`)
    expect(parseChannelList(`#EXTM3U\n${many.join('\n')}`).mended).toEqual([
      { line: 3, reason: expect.stringContaining('relayed: A, B, C and 2 more.') },
    ])
  })

  it('reports addresses of MPEG-TS, which cannot be relayed', () => {
    const remarksOf = (address: string) =>
      parseChannelList(`#EXTM3U\n#EXTINF:-1,A\n${address}`).mended.map(({ reason }) => reason)
    for (const address of [
      'http://x.example/live/a.ts',
      'http://x.example/a/mpegts?token=1',
      'http://x.example:8080/user/password/1234',
      'http://x.example:8080/live/user/password/1234',
      'http://x.example:8080/live/user/password/1234.ts|User-Agent=Box',
    ])
      expect(remarksOf(address), address).toEqual([
        'These seem to send MPEG-TS, which cannot be relayed: A. `inputs add <channel> --record` receives one.',
      ])
    for (const address of [
      'http://x.example/a.m3u8',
      'http://x.example/live/user/password/1234.m3u8',
      'http://x.example/a',
      'http://x.example/2026/channels/1234/main',
      'udp://@239.0.0.1:1234',
      '#KODIPROP:inputstream.adaptive.manifest_type=hls\nhttp://x.example/user/password/1234',
    ])
      expect(remarksOf(address), address).toEqual([])
  })

  it('stores live inputs as live channels', () => {
    const channels = named(
      '#EXTM3U\n#EXTINF:-1,U\nudp://@239.0.0.1:1234\n#EXTINF:-1,S\nsrt://10.0.0.1:9000?mode=caller\n#EXTINF:-1,R\nrtmp://x/y',
    )
    expect(channels.map(({ kind, source }) => [kind, source.address])).toEqual([
      ['live', 'udp://@239.0.0.1:1234'],
      ['live', 'srt://10.0.0.1:9000?mode=caller'],
      ['live', 'rtmp://x/y'],
    ])
  })

  it('refuses single lines, with their number and reason', () => {
    const { channels, refused } = parseChannelList(
      [
        '#EXTM3U',
        '#EXTINF:-1,File',
        'file:///etc/passwd',
        '#EXTINF:-1,Script',
        'javascript:alert(1)',
        'http://stream.example/without-name.m3u8',
        '#EXTINF:-1,Nothing follows',
        '#EXTINF:-1,Password',
        'http://user:secret@stream.example/a.m3u8',
        '#EXTINF:-1,No address at all',
        'C:\\Videos\\film.ts',
        '#EXTINF:-1,Right\u202Eto\u0007 left',
        'http://stream.example/last.m3u8',
        '#EXTINF:-1,End',
      ].join('\n'),
    )
    expect(channels.map(({ name }) => name)).toEqual(['Rightto left'])
    expect(refused.map(({ line }) => line)).toEqual([3, 5, 6, 7, 9, 11, 14])
    expect(refused[0]?.reason).toBe('Addresses that begin with file: are not accepted.')
  })

  it('leaves out a logo that makes its line too long, and keeps the channel', () => {
    const picture = `data:image/png;base64,${'A'.repeat(40_000)}`
    const { channels, refused, mended } = parseChannelList(
      `#EXTM3U\n#EXTINF:-1 tvg-logo="${picture}" group-title="Info",A\nhttp://x/a\n#EXTINF:-1,${'B'.repeat(40_000)}\nhttp://x/b`,
    )
    expect(channels).toMatchObject([{ name: 'A', logo: null, groups: ['Info'] }])
    expect(mended.map(({ line }) => line)).toEqual([2])
    expect(refused.map(({ line }) => line)).toEqual([4, 5])
  })

  it('reads a list without its first line, and reports that', () => {
    const { channels, mended } = parseChannelList('#EXTINF:-1,A\nhttp://stream.example/a.m3u8')
    expect(channels).toHaveLength(1)
    expect(mended).toEqual([{ line: 1, reason: expect.stringContaining('#EXTM3U') }])
  })

  it.each([
    ['a stream', '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nsegment.ts'],
    ['a page', '<!doctype html><title>Not found</title>'],
    ['nothing', ''],
    ['bytes', '\u0000\u0001'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseChannelList(text)).toThrow(ChannelListError)
  })
})

describe('matching channels with known ones', () => {
  const listed = (text: string) => named(`#EXTM3U\n${text}`)
  const known = (id: number, name: string, guideId: string | null, address: string) => ({
    id,
    name,
    guideId,
    address,
  })

  it('recognises a channel whose address, name or guide id has changed', () => {
    const pairs = matchChannels(
      listed(
        '#EXTINF:-1 tvg-id="a",A\nhttp://x/a?token=new\n#EXTINF:-1 tvg-id="b",B renamed\nhttp://x/b\n#EXTINF:-1 tvg-id="c2",C\nhttp://x/c2\n#EXTINF:-1,D\nhttp://x/d',
      ),
      [
        known(1, 'A', 'a', 'http://x/a?token=old'),
        known(2, 'B', 'b', 'http://x/b'),
        known(3, 'C', 'c', 'http://x/c'),
      ],
    )
    expect(pairs.map((pair) => pair?.id)).toEqual([1, 2, 3, undefined])
  })

  it('distinguishes variants with one guide id, in any order', () => {
    const before = [known(1, 'A', 'a', 'http://x/1'), known(2, 'A HD', 'a', 'http://x/2')]
    const swapped = '#EXTINF:-1 tvg-id="a",A HD\nhttp://x/4\n#EXTINF:-1 tvg-id="a",A\nhttp://x/3'
    expect(matchChannels(listed(swapped), before).map((pair) => pair?.id)).toEqual([2, 1])
    const other = '#EXTINF:-1 tvg-id="a",A 4K\nhttp://x/5\n#EXTINF:-1 tvg-id="a",A 8K\nhttp://x/6'
    expect(matchChannels(listed(other), before)).toEqual([undefined, undefined])
  })

  it('assigns numbers: the requested one if it is free, else the previous one, else the lowest', () => {
    const wanted = [
      { wish: 5, had: 5 },
      { wish: 5, had: 9 },
      { wish: null, had: null },
      { wish: 2, had: null },
      { wish: 3, had: null },
    ]
    expect(giveNumbers(wanted, new Set([2]), 1)).toEqual([5, 9, 1, 4, 3])
  })
})
