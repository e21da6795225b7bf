import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'

/** An nginx process that serves a folder as `/media/`. */
export interface Nginx {
  port: number
  stop(): Promise<void>
}

/** Starts nginx with one worker, as in front of a service on a small machine. */
export async function startNginx(mediaFolder: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-bench-nginx-'))
  // If this process runs as root, nginx's worker runs as another user, and that user must be able to read the
  // folder.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'temporary'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(configuration, configure(folder, mediaFolder, port))
  const { child } = await startChild({
    command: 'nginx',
    arguments: ['-e', 'stderr', '-c', configuration],
    ready: /start worker processes/,
  })
  return {
    port,
    stop: async () => {
      await child.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configure(folder: string, media: string, port: number): string {
  const temporary = join(folder, 'temporary')
  return `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid "${join(folder, 'nginx.pid')}";
error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path "${temporary}";
  proxy_temp_path "${temporary}";
  fastcgi_temp_path "${temporary}";
  uwsgi_temp_path "${temporary}";
  scgi_temp_path "${temporary}";
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=10000 inactive=60s;
  types { video/mp4 mp4; video/iso.segment m4s; text/vtt vtt; image/jpeg jpg; }
  server {
    listen 127.0.0.1:${port};
    location /media/ {
      alias "${media}/";
      add_header Cache-Control "public, max-age=31536000, immutable";
      add_header Access-Control-Allow-Origin "*";
    }
  }
}
`
}

/** Returns a loopback TCP port that is not in use. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
