import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SvgError, safeSvg } from './safe-svg.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24"${attributes}>${content}</svg>`

describe('an icon', () => {
  it('keeps its shapes, its colours and its name', () => {
    const icon = svg(
      '<title>Films &amp; séries</title><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><g fill="url(#a)"><path d="M0 0h4"/></g>',
    )
    expect(safeSvg(icon)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>Films &amp; séries</title><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><g fill="url(#a)"><path d="M0 0h4"></path></g></svg>',
    )
  })

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in another alphabet', '<script href="data:text/javascript,alert(1)"/>'],
    ['an event handler', '<path d="M0 0" onload="alert(1)" onclick="alert(1)"/>'],
    [
      'a page inside',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><b>alert</b></body></foreignObject>',
    ],
    ['a link', '<a xlink:href="javascript:alert(1)"><path d="M0 0"/></a>'],
    ['a picture from elsewhere', '<image href="https://elsewhere.test/alert.png"/>'],
    ['a style', '<style>@import url(//alert)</style><path style="fill:url(//alert)" d="M0 0"/>'],
    ['a colour from elsewhere', '<path fill="url(https://alert.test/#a)" d="M0 0"/>'],
    ['a colour written oddly', '<path fill="\\75rl(//alert)" d="M0 0"/>'],
    ['something that changes itself', '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ['copies of copies', '<use href="#alert"/>'],
    ['a second document', '<svg><script>alert(1)</script></svg>'],
    ['a comment and instructions', '<!--alert--><?alert 1?>'],
    ['unread text', '<![CDATA[<script>]]>'],
  ])('loses %s', (_, content) => {
    const safe = safeSvg(svg(`<rect width="1" height="1"/>${content}`, ' onload="alert(1)"'))
    expect(safe).toContain('<rect width="1" height="1"></rect>')
    expect(safe).not.toMatch(/alert|<script|<style|<a |href|<use|<image|on\w+=/)
  })

  it('stays complete if it is included in Ondine', async () => {
    const folder = fileURLToPath(new URL('icons', import.meta.url))
    const names = await readdir(folder)
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(safeSvg(await readFile(`${folder}/${name}`, 'utf8'))).toContain('</svg>')
  })
})

it.each([
  ['nothing', ''],
  ['a page', '<html><body/></html>'],
  ['text', 'hello'],
  ['broken XML', '<svg><path></svg>'],
  ['a truncated file', '<svg><path d="M0'],
  ['unknown entities', '<svg>&bomb;</svg>'],
  ['a bomb of entities', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>'],
  ['a bomb of elements', `<svg>${'<g/>'.repeat(3000)}</svg>`],
  ['a bottomless one', `<svg>${'<g>'.repeat(100)}${'</g>'.repeat(100)}</svg>`],
  ['one that is too large', svg(`<desc>${'x'.repeat(300_000)}</desc>`)],
])('refuses %s as an icon', (_, source) => {
  expect(() => safeSvg(source)).toThrow(SvgError)
})
