"""Read and write file formats that other programs define. Each format has its own module."""
