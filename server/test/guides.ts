import { NOON } from './service.ts'

/** Returns a moment in XMLTV format. Hours count from noon of the test's day. */
const at = (hours: number, zone = ' +0000') =>
  `${new Date(NOON + hours * 3600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')}${zone}`
/** Returns a programme of a guide (XMLTV), without an end if `to` is null. */
export const show = (channel: string, from: number, to: number | null, inside: string) =>
  `<programme channel="${channel}" start="${at(from)}"${to === null ? '' : ` stop="${at(to)}"`}>${inside}</programme>`
/** Returns a guide (XMLTV) of channels and programmes. */
export const guideOf = (
  body: string,
  head = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n',
) => `${head}<tv generator-info-name="x">\n${body}\n</tv>\n`
