import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Returns the indented blocks of a document, without their indentation. */
function blocksOf(text: string): string[] {
  return (text.match(/(?:^ {4}.*\n|^\n)+/gm) ?? []).map((block) => block.replace(/^ {4}/gm, ''))
}

it.each(globSync('{*,docs/*}.md', { cwd: ROOT }))(
  '%s writes the output of commands to files without npm, which adds lines to it',
  (file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    expect(lines.filter((line) => /npm run ondine -- .* > [\w<./]/.test(line))).toEqual([])
  },
)

it('operating.md lets systemd start the service again until it starts', () => {
  const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const units = blocksOf(operating).filter((block) => /^ExecStart=/m.test(block))
  expect(units).not.toEqual([])
  for (const unit of units) {
    const [, before, service] = /^\[Unit\]\n(.*)^\[Service\]\n(.*)^\[Install\]/ms.exec(unit) ?? []
    // Without these, systemd gives up for good after five starts within ten seconds.
    expect(before).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(service).toMatch(/^Restart=always\nRestartSec=[1-9]\d*$/m)
  }
})

it('operating.md has nginx write every header that TRUST_PROXY believes, wherever it writes headers', () => {
  const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const proxies = blocksOf(operating).filter((block) => block.includes('proxy_pass '))
  expect(proxies).toHaveLength(2)
  for (const proxy of proxies)
    expect(
      [...proxy.matchAll(/proxy_set_header X-Forwarded-(\w+) (\S+);/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['Host', '$host'],
      ['For', '$proxy_add_x_forwarded_for'],
      ['Proto', '$scheme'],
    ])
})
