// The page of the player. A specification can come from anybody: nothing of it is ever part of this text, the one
// script makes text nodes of it, and no other script and nothing from elsewhere is allowed.

export interface Sources {
  /** What the editor calls the origin of local files. */
  readonly origin: string;
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
}

export function page({ origin, script, style, nonce }: Sources): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${origin}; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Endstep: a finding</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="player"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
