/** Signs of text that is not written for people: markup, role markers, what is encoded. Looked for in the text as it was written. */
export const SIGNS: readonly RegExp[] = [
  /<\s*[/!?]?\s*[a-z][^<>]{0,200}>|<!--|-->|<\|/iu, // markup, and the markers of chat templates
  /\[\/?(?:inst|sys|system|user|assistant|tool|admin|end|context)\b[^\]]{0,40}\]|<<\/?sys>>/iu,
  /(?:^|[\n.!?;|*#"'([{>-])\s*(?:system|assistant|user|human|developer|tool|ai|model|function|instruction|bot)\s*(?:\([^)]{0,30}\)\s*)?[:=]+\s*\S/iu,
  /(?:^|\n|\s)#{2,}\s*\w|^\s*#\s+(?:system|instruction|task|role|prompt)/iu,
  /```|~~~|\$\{|\{\{|\{%|<%/u,
  /!?\[[^\]\n]{0,120}\]\s*\(/u, // links and pictures of Markdown
  /["']?(?:role|content|function_call|tool_calls?|system|prompt|instructions?|action)["']?\s*:\s*["'[{]/iu,
  /(?:javascript|data|vbscript|file)\s*:\s*\S/iu,
  /(?:%[0-9a-f]{2}){3}|(?:\\u[0-9a-f]{4}){2}|(?:\\x[0-9a-f]{2}){3}|(?:&#x?[0-9a-f]{2,6};?\s?){3}|(?:&(?:lt|gt|quot|amp);)/iu,
  /(?:\b[01]{8}\b\s*){3}|(?:\b[0-9a-f]{2}\b[\s:-]){6}|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{20,}\b/iu,
  /(?<![\w/.])(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])(?=[A-Za-z0-9+/_-]*(?:\d|[A-Z][a-z]*[A-Z][a-z]+[A-Z]))[A-Za-z0-9+/_-]{20,}={0,2}/u, // base64
];
