# O site da padaria, com o Qwen Code.

file menu.html:
  <ul>
    <li>Pão de centeio — 2,40 €</li>
    <li>Bolo-rei — 18,00 €</li>
  </ul>

== 2026-11-10T11:15:20 | 0.24.4 | qwen3-coder-plus
title: Preços com data
you: Os preços mudam em janeiro. Põe a data até quando são válidos, por baixo da lista.
model: Vou ver a lista.
tool read_file: {"file_path": "menu.html"}
model: Junto uma linha pequena depois da lista.
think: Data | Uma frase só, com a data por extenso, para não haver dúvida.
tool edit: {"file_path": "menu.html"}
old:
  </ul>
new:
  </ul>
  <p class="nota">Preços válidos até 31 de dezembro de 2026.</p>
model: Feito: a data está por baixo da lista, com a classe `nota`, por isso herda o estilo do resto.
