import { escapeMarkup } from './markup.ts'
import { readableOn } from './pictures.ts'
import type { TelevisionApp } from './television-app.ts'

/** Fragment of the start page's address after the service could not be loaded. */
export const FAILED = '#failed'

/** Time after which the start page opens a service again that could not be loaded, in milliseconds. */
const RETRY_MS = 30_000

/** Longest time to wait for an answer of the service, in milliseconds. */
const PROBE_MS = 10_000

/** Returns the page inside a package, which opens the service. It is the only page without a connection. */
export function startPage({ name, background }: TelevisionApp): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=1920">
    <title>${escapeMarkup(name)}</title>
    <style>
      html { height: 100%; background: ${background}; color: ${readableOn(background)}; font: 36px sans-serif; }
      body { display: flex; align-items: center; justify-content: center; height: 100%; margin: 0; text-align: center; }
    </style>
  </head>
  <body>
    <p id="offline" hidden></p>
    <script src="start.js"></script>
  </body>
</html>
`
}

/**
 * Returns the script of {@link startPage}. It opens the service only after the service has answered, because a browser's
 * error page handles no keys, so the viewer could neither retry nor leave. Otherwise it tries again later; with
 * {@link FAILED}, it begins with the wait. It runs on old engines too, so that a television that is too old for the service at
 * least shows the message about the connection.
 */
export function startScript({ address }: TelevisionApp): string {
  return `(function () {
  var french = /^fr/.test(navigator.language)
  var note = document.getElementById('offline')
  var timer
  var request
  function later() {
    note.hidden = false
    if (navigator.onLine) note.textContent = french
      ? 'Le service ne répond pas. Nouvel essai dans un instant.'
      : 'The service isn’t responding. Trying again in a moment.'
    else note.textContent = french
      ? 'Pas de connexion. Vérifiez le réseau du téléviseur.'
      : 'No connection. Check the network of your TV.'
    clearTimeout(timer)
    timer = setTimeout(open, ${RETRY_MS})
  }
  function open() {
    if (request) return
    if (!navigator.onLine) return later()
    request = new XMLHttpRequest()
    request.open('GET', ${JSON.stringify(new URL('/time', address).href)})
    request.timeout = ${PROBE_MS}
    request.onloadend = function () {
      var answers = request.status > 0 && request.status < 500
      request = undefined
      note.hidden = answers
      // Replaces this page, so that back on the first screen does not lead here.
      if (answers) location.replace(${JSON.stringify(address.href)})
      else later()
    }
    request.send()
  }
  addEventListener('online', open)
  addEventListener('keydown', function (event) {
    if (event.keyCode === 13) open()
    if (event.keyCode === 10009) tizen.application.getCurrentApplication().exit()
    if (event.keyCode === 461) webOSSystem.platformBack()
  })
  if (location.hash === '${FAILED}') later()
  else open()
})()
`
}
