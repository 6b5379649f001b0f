"""Pictures of the comparison as SVG, in the colours of Okabe and Ito (2008)."""
INKS = {"truth": "#22262B", "Ossicle": "#0072B2", "pyroomacoustics": "#D55E00", "acoustic-spaces": "#009E73"}


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Plot:
    """A frame with two linear axes."""

    def __init__(self, title, x_label, y_label, x_range, y_range, x_ticks, y_ticks):
        self.x_range, self.y_range = x_range, y_range
        self.left, self.top, self.width, self.height = 70, 60, 560, 300
        self.parts = [f'<text x="{self.left}" y="30" font-size="16" font-weight="600" fill="#22262B">{title}</text>']
        for value, text in y_ticks:
            y = self.y(value)
            self.parts.append(f'<line x1="{self.left}" y1="{y:.1f}" x2="{self.left + self.width}" y2="{y:.1f}" stroke="#E2E5EA"/>')
            self.parts.append(f'<text x="{self.left - 8}" y="{y + 4:.1f}" font-size="11" fill="#6B7280" text-anchor="end">{text}</text>')
        for value, text in x_ticks:
            self.parts.append(
                f'<text x="{self.x(value):.1f}" y="{self.top + self.height + 18}" font-size="11" fill="#6B7280" text-anchor="middle">{text}</text>')
        self.parts.append(
            f'<text x="{self.left + self.width / 2}" y="{self.top + self.height + 38}" font-size="12" fill="#6B7280" text-anchor="middle">{x_label}</text>')
        self.parts.append(
            f'<text x="18" y="{self.top + self.height / 2}" font-size="12" fill="#6B7280" text-anchor="middle" '
            f'transform="rotate(-90 18 {self.top + self.height / 2})">{y_label}</text>')
        self.legend = []

    def x(self, value):
        low, high = self.x_range
        return self.left + (value - low) / (high - low) * self.width

    def y(self, value):
        low, high = self.y_range
        return self.top + self.height - (min(max(value, low), high) - low) / (high - low) * self.height

    def line(self, name, points):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if name == "truth" else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{INKS[name]}" stroke-width="2"{dash}/>')
        self._name(name)

    def dots(self, name, points):
        for x, y in points:
            self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="5" fill="{INKS[name]}"/>')
        self._name(name)

    def band(self, low, high):
        top, bottom = self.y(high), self.y(low)
        self.parts.insert(1, f'<rect x="{self.left}" y="{top:.1f}" width="{self.width}" height="{bottom - top:.1f}" fill="#EEF4FA"/>')

    def _name(self, name):
        if name not in self.legend:
            self.legend.append(name)

    @property
    def svg(self):
        parts = list(self.parts)
        for index, name in enumerate(self.legend):
            x = self.left + index * 140
            parts.append(f'<rect x="{x}" y="{self.top - 16}" width="14" height="4" fill="{INKS[name]}"/>')
            parts.append(f'<text x="{x + 20}" y="{self.top - 10}" font-size="12" fill="#22262B">{name}</text>')
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="660" height="410" viewBox="0 0 660 410" '
            'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<rect width="660" height="410" fill="#FFFFFF"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
